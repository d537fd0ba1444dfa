import { KEY_SECRET, OLD_KEY_SECRET } from './secrets.ts';

/** What every README says of keyed shards, for the table of files. */
export const SHARDS_ARE =
  'who gets which theme, as keyed digests: without the secret nobody can tell whose they are; they are **personal data** all the same';

/** Where the secret of keyed shards comes from, for a step of a list. */
export const KEY_SECRET_IS = `\`${KEY_SECRET}\` is the one that the site is built with: \`openssl rand -hex 32\` makes one.
   Whoever has it and the shards can try out who is in them.`;

/** For hosts that hold the shards in their code: how the secret is changed. */
export const NEW_SECRET = `
For another secret, set \`${OLD_KEY_SECRET}\` to the one in use and \`${KEY_SECRET}\` to the new one; then build with the new one, and deploy. The code
takes the one of the two that its shards were made with, so nobody is without their theme meanwhile. Delete the old one when you will not
roll back beyond that deployment.
`;
