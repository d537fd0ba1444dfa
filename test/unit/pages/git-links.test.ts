import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gitLinks } from '../../../src/preview/git-links.ts';
import { parseYaml } from '../../../src/source/yaml.ts';

const GITHUB = 'https://github.com/example/themes';

describe('remote', () => {
  it.each([
    ['https://github.com/example/themes.git', GITHUB],
    ['https://github.com/example/themes/', GITHUB],
    ['https://user:secret@github.com/example/themes', GITHUB],
    ['https://x-access-token@GitHub.com/example/themes.git', GITHUB],
    ['git@github.com:example/themes.git', GITHUB],
    ['github.com:example/themes', GITHUB],
    ['ssh://git@github.com/example/themes.git', GITHUB],
    ['ssh://git@github.com:22/example/themes.git', GITHUB],
    ['https://gitlab.com/group/sub/themes.git', 'https://gitlab.com/group/sub/themes/-'],
    ['git@gitlab.com:group/sub/themes.git', 'https://gitlab.com/group/sub/themes/-'],
    ['https://gitlab.example.org:8443/a/b.git', 'https://gitlab.example.org:8443/a/b/-'],
    ['ssh://git@gitlab.example.org:2222/a/b.git', 'https://gitlab.example.org/a/b/-'],
    ['https://github.com/example/a%20b%23c.git', 'https://github.com/example/a%20b%23c'],
  ])('%s', (remote, home) => {
    expect(gitLinks(remote, 'main', 'themes')?.edit('meadow')).toBe(`${home}/edit/main/themes/meadow/theme.yaml`);
  });

  it.each([
    '',
    'themes',
    '/srv/git/themes.git',
    '../themes',
    'C:\\git\\themes',
    'file:///srv/themes.git',
    'http://github.com/example/themes',
    'javascript:github.com/a/b',
    'https://github.com',
    'https://github.com/example',
    'https://github.com/example/themes/more',
    'https://github.com/example/%2e%2e',
    'https://github.com/example/%ff',
    'https://github.com/example/a%0Ab',
    'https://github.com/example/a%1b%5b31m',
    'https://github.com.evil.example/a/b',
    'https://bitbucket.org/example/themes.git',
    'https://notgitlab.com/a/b',
  ])('%j has no such pages', (remote) => {
    expect(gitLinks(remote, 'main', 'themes')).toBeUndefined();
  });

  it('needs a branch', () => {
    expect(gitLinks(GITHUB, '', 'themes')).toBeUndefined();
  });

  it('is never repeated with its credentials, and makes nothing but https addresses of its host', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    const secret = 'hunter2secret';
    fc.assert(
      fc.property(
        fc.constantFrom('github.com', 'gitlab.com', 'gitlab.example.org'),
        fc.array(text, { maxLength: 3 }),
        text,
        text,
        text,
        (host, parts, branch, folder, slug) => {
          const links = gitLinks(`https://me:${secret}@${host}/${parts.join('/')}`, branch, folder);
          if (links === undefined) return;
          for (const url of [links.edit(slug), links.upload(slug), links.create(7, slug)]) {
            expect(url).not.toContain(secret);
            expect(url).toMatch(/^https:\/\/[!-~]+$/);
            expect(url).not.toMatch(/["<>\\^`{|}]/);
            expect(new URL(url).host).toBe(host);
          }
        },
      ),
    );
  });
});

describe('pages', () => {
  it('of GitHub', () => {
    const links = gitLinks(GITHUB, 'feature/new #1', 'my site/themes');
    expect(links?.host).toBe('GitHub');
    expect(links?.edit('meadow')).toBe(`${GITHUB}/edit/feature/new%20%231/my%20site/themes/meadow/theme.yaml`);
    expect(links?.upload('meadow')).toBe(`${GITHUB}/upload/feature/new%20%231/my%20site/themes/meadow`);
    const create = new URL(links?.create(7, 'meadow') ?? '');
    expect(create.origin + create.pathname).toBe(`${GITHUB}/new/feature/new%20%231`);
    expect(create.searchParams.get('filename')).toBe('my site/themes/new-theme/theme.yaml');
  });

  it('of GitLab, which shows the folder for uploads', () => {
    const links = gitLinks('git@gitlab.com:group/themes.git', 'main', '');
    expect(links?.host).toBe('GitLab');
    expect(links?.edit('meadow')).toBe('https://gitlab.com/group/themes/-/edit/main/meadow/theme.yaml');
    expect(links?.upload('meadow')).toBe('https://gitlab.com/group/themes/-/tree/main/meadow');
    expect(links?.create(7, 'meadow')).toBe(
      'https://gitlab.com/group/themes/-/new/main?file_name=new-theme%2Ftheme.yaml',
    );
  });

  it('start a new theme as YAML that is complete: it extends another one', () => {
    const create = new URL(gitLinks(GITHUB, 'main', 'themes')?.create(7, '2024') ?? '');
    const findings: string[] = [];
    const document = parseYaml('theme.yaml', create.searchParams.get('value') ?? '', (code) => findings.push(code));
    expect(findings).toEqual([]);
    expect(document?.data).toEqual({ extends: '2024', id: 7, name: 'New theme' });
  });
});
