// The configuration of the documentation site that `npm run docs` builds from `docs/`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';

const pages = path.resolve(import.meta.dirname, '../pages');
/** @param {string} page */
const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(path.join(pages, `${page}.md`), 'utf8'))?.[1] ?? page;

/** The pages grouped by reader, as in the README. */
const GROUPS = {
  Start: ['start'],
  Tasks: [
    'themes',
    'dev',
    'cms',
    'users',
    'identity',
    'review',
    'going-live',
    'behind-a-proxy',
    'operating',
    'migrating',
    'clients',
  ],
  Reference: ['cli', 'site', 'diagnostics', 'hosts', 'contract', 'publishing', 'api'],
  'At scale': ['at-scale'],
  Inside: ['architecture', 'benchmarks', 'stability', 'changelog', 'security'],
};

// Ensures a contrast of at least 4.5:1 (WCAG 2.2, §1.4.3), with a higher specificity than the theme's rules.
const STYLE = `html:root:not(.dark) { --vp-c-text-2: #4b4b52; --vp-c-text-3: #5d5d66; }
html.dark { --vp-c-text-2: #b5b5bf; --vp-c-text-3: #a0a0aa; }
html .vp-doc [class*='language-'] > span.lang { color: var(--vp-c-text-1); }`;

export default defineConfig({
  title: 'themecast',
  description: 'A theme service without a server.',
  head: [['style', {}, STYLE]],
  srcDir: 'pages',
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: Object.entries(GROUPS).map(([text, group]) => ({
      text,
      items: group.map((page) => ({ text: titleOf(page), link: `/${page}` })),
    })),
  },
});
