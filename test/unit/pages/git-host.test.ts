import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gitHost } from '../../../src/core/document/preview/git-host.ts';

// test/texts/remotes.txt lists the hosts of remotes.

it('the Git host of a remote never contains credentials', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const host = fc.constantFrom('github.com', 'gitlab.com', 'gitlab.example.org');
  fc.assert(
    fc.property(host, fc.array(text, { maxLength: 3 }), (name, fragments) => {
      const remote = `https://me:hunter2secret@${name}/${fragments.join('/')}`;
      expect(JSON.stringify(gitHost(remote) ?? '')).not.toContain('hunter2secret');
    }),
  );
});
