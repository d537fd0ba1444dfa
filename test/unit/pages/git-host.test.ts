import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gitHost } from '../../../src/document/preview/git-host.ts';

const GITHUB = 'GitHub github.com example/themes';

describe('the Git host of a remote', () => {
  it.each([
    ['https://github.com/example/themes.git', GITHUB],
    ['https://github.com/example/themes/', GITHUB],
    ['https://user:secret@github.com/example/themes', GITHUB],
    ['https://x-access-token@GitHub.com/example/themes.git', GITHUB],
    ['git@github.com:example/themes.git', GITHUB],
    ['github.com:example/themes', GITHUB],
    ['ssh://git@github.com/example/themes.git', GITHUB],
    ['ssh://git@github.com:22/example/themes.git', GITHUB],
    ['https://gitlab.com/group/sub/themes.git', 'GitLab gitlab.com group/sub/themes'],
    ['git@gitlab.com:group/sub/themes.git', 'GitLab gitlab.com group/sub/themes'],
    ['https://gitlab.example.org:8443/a/b.git', 'GitLab gitlab.example.org:8443 a/b'],
    ['ssh://git@gitlab.example.org:2222/a/b.git', 'GitLab gitlab.example.org a/b'],
    ['https://github.com/example/a%20b%23c.git', 'GitHub github.com example/a b#c'],
  ])('%s', (remote, expected) => {
    const { name, host, repository } = gitHost(remote) ?? {};
    expect([name, host, repository].join(' ')).toBe(expected);
  });

  it.each([
    '',
    'themes',
    '/srv/git/themes.git',
    '../themes',
    'C:\\git\\themes',
    ...'file:///srv/themes.git http://github.com/example/themes javascript:github.com/a/b'.split(' '),
    ...'https://github.com https://github.com/example https://github.com/example/themes/more'.split(' '),
    ...'https://github.com/example/%2e%2e https://github.com/example/%ff'.split(' '),
    ...'https://github.com/example/a%0Ab https://github.com/example/a%1b%5b31m'.split(' '),
    ...'https://github.com.evil.example/a/b https://bitbucket.org/example/themes.git'.split(' '),
    ...'https://notgitlab.com/a/b'.split(' '),
  ])('%j is none', (remote) => {
    expect(gitHost(remote)).toBeUndefined();
  });

  it('never contains credentials', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(
        fc.constantFrom('github.com', 'gitlab.com', 'gitlab.example.org'),
        fc.array(text, { maxLength: 3 }),
        (host, parts) => {
          const remote = `https://me:hunter2secret@${host}/${parts.join('/')}`;
          expect(JSON.stringify(gitHost(remote) ?? '')).not.toContain('hunter2secret');
        },
      ),
    );
  });
});
