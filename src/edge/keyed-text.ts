import { KEY_SECRET, OLD_KEY_SECRET } from './secrets.ts';

/** What every README says of keyed shards, for the table of files. */
export const SHARDS_ARE =
  'who gets which theme, as keyed digests: without the secret nobody can tell who they are of, and they are **personal data** all the same';

/** Where the secret of keyed shards comes from, as a sentence. */
export const KEY_SECRET_IS = `\`${KEY_SECRET}\` is the secret that the site is built with, of 32 bytes or more: \`openssl rand -hex 32\` makes one, and whoever has it and the shards can try out who is in them.`;

/** For hosts that hold the shards in their code: how the secret is changed. */
export const NEW_SECRET = `
For another secret, set \`${OLD_KEY_SECRET}\` to the one in use and \`${KEY_SECRET}\` to the new one; then build with the new one, and deploy. The code
takes the one of the two that its shards were made with, so nobody is without their theme meanwhile. Delete the old one when you will not
roll back beyond that deployment.
`;
