import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { squareSvg } from '../images.ts';
import type { SiteFolder } from '../site-folder.ts';

const THEMES = path.join(import.meta.dirname, '../../themes');

/** A name of maximum length with right-to-left text and markup. */
export const ODD_NAME = `<script>alert(1)</script> ${'קהילה '.repeat(6)}${'W'.repeat(38)}`;

const SITE = `base_url: https://community.example.org
logo_alignments: [left, center, right, justify]
identity:
  - group: { header: X-Group, shared_secret: { header: X-Proxy-Secret, env: PROXY_SECRET } }
  - user: { cookie: uid }
`;

const ODD = `extends: harbor
id: 99
name: ${JSON.stringify(ODD_NAME)}
logo_height: 1500
logo_margin_left: 700
compact_logo_size: 300
logo_alignment: justify
`;

/**
 * Copies the themes of this repository, and adds a fourth, `odd`, with every setting at its maximum. Meadow has a warning,
 * three users and a group.
 */
export async function copyExamples(): Promise<Pick<SiteFolder, 'root' | 'themesDir' | 'cacheDir'>> {
  const root = await mkdtemp(path.join(tmpdir(), 'themecast-browser-'));
  const themesDir = path.join(root, 'themes');
  await cp(THEMES, themesDir, { recursive: true });
  for (const folder of ['odd', 'users']) await mkdir(path.join(themesDir, folder));
  const files: Readonly<Record<string, string | Buffer>> = {
    'site.yaml': SITE,
    'users.csv': 'user,theme\nu-1001,meadow\nu-1002,nightfall\nu-1003,meadow\nu-1004,meadow\n',
    'users/groups.csv': 'group,theme\ntesters,meadow\n',
    'odd/theme.yaml': ODD,
    'meadow/old logo.svg': squareSvg(24, 24),
  };
  for (const [file, content] of Object.entries(files)) await writeFile(path.join(themesDir, file), content);
  return { root, themesDir, cacheDir: path.join(root, '.cache') };
}
