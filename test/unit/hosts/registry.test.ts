import { describe, expect, it, vi } from 'vitest';
import { WHOLE_CONTRACT } from '../../../src/hosts/adapter.ts';
import { adapters, edgeOutput } from '../../../src/hosts/registry.ts';
import { edgeRules } from '../../../src/hosts/contract.ts';
import { SITE_DEFAULTS } from '../../../src/theme/site.ts';
import { usersOf } from '../../sample-users.ts';

const site = { ...SITE_DEFAULTS, base_url: 'https://example.org', media_url: 'https://example.org/media' };
const place = { file: 'themes/site.yaml' };

async function readmeOf(content: { text: string } | { parts: () => Iterable<string> }): Promise<string> {
  const { assigned, mapping } = await usersOf([], { harbor: 1 });
  const rules = edgeRules(site, [{ slug: 'harbor', id: 1 }], 'sha256-c3R5bGU=');
  const files = vi.spyOn(adapters.nginx, 'files').mockReturnValue([{ path: 'README.md', content }]);
  try {
    const report = (code: string): never => {
      throw new Error(code);
    };
    const input = { rules, mapping, runtime: {}, report };
    const { edgeFiles } = edgeOutput(['nginx'], input, assigned, { edge: place, identity: () => place });
    const readme = edgeFiles.find((file) => file.path === 'nginx/README.md')?.content;
    return readme !== undefined && 'text' in readme ? readme.text : '';
  } finally {
    files.mockRestore();
  }
}

describe('the README of a host', () => {
  it('ends with what the host can do, and how to check it', async () => {
    const text = await readmeOf({ text: '# nginx\n\n' });
    expect(
      text.startsWith('# nginx\n\n## Capabilities\n\n- themes by: user, group, theme\n- read from: cookie, '),
    ).toBe(true);
    expect(text).toContain(`- CORS: ${WHOLE_CONTRACT.cors ? 'yes' : 'no'}\n\n## Check it\n\n    npx themecast verify`);
  });

  it('is never replaced: one that is not a single text is an error', async () => {
    await expect(readmeOf({ parts: () => ['# nginx'] })).rejects.toThrow('Bug: README.md of nginx is not one text.');
  });
});
