import { KEY_SECRET, OLD_KEY_SECRET } from './secrets.ts';

/** The description of keyed shards in the table of files. */
export const SHARDS_DESCRIPTION =
  'the mapping as keyed digests, which reveal no key without the secret; still **personal data**';

/** A note on the secret of keyed shards, for a numbered step. */
export const KEY_SECRET_NOTE = `Use the same \`${KEY_SECRET}\` as the build; create one with \`openssl rand -hex 32\`.
   Anyone with the secret and the shards can test which keys they contain.`;

/** How to rotate the secret on hosts that embed the shards in their code. */
export const ROTATE_SECRET = `
## Rotate the secret

1. Set \`${OLD_KEY_SECRET}\` to the current secret and \`${KEY_SECRET}\` to the new one.
2. Build with the new secret and deploy. The code uses the secret that matches its shards, so users keep their themes meanwhile.
3. Delete \`${OLD_KEY_SECRET}\` once you no longer need to roll back beyond that deployment.
`;
