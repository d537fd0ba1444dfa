import type { EdgeRules } from '../../mapping/edge-rules.ts';

/** `README.md`, for whoever installs the rules. */
export function readme({ basePath, origin, endpoints }: EdgeRules): string {
  return `# The theme service on nginx

| file | what it is |
|---|---|
| \`maps.conf\` | for \`http{}\`: negotiation, identity, headers; reads \`users.map\` |
| \`locations.conf\` | for \`server{}\`: \`${endpoints.list.path}\`, \`${endpoints.config.path}\` and \`${basePath}/media/\` |
| \`theme-service.conf\` | both of them in a server of their own, \`listen ${origin.listen}\` |
| \`users.map\` | who gets which theme. **Personal data**: never below a published folder |

It takes nginx with the map, geo, rewrite and realip modules, which every packaged nginx has; tested with 1.22.

## Install

1. Upload \`dist/\` to \`${origin.document_root}\`, readable for the user that nginx runs as. Keep the times of the files as they
   are written: on LIST they are part of the ETag.
2. Copy this folder to \`/etc/nginx/themecast/\` (\`chmod 0640\` for \`users.map\`, readable for root alone).
3. In \`http{}\`, before any other \`map\`, write one line:

       include themecast/theme-service.conf;

   or, for a server that you have already, \`include themecast/maps.conf;\` there and \`include themecast/locations.conf;\` in its
   \`server{}\`. Its \`root\` does not matter: the locations name \`${origin.document_root}\` themselves.
4. \`nginx -t && nginx -s reload\`. Should it complain of a duplicate \`map_hash_…\` or \`variables_hash_…\`, your configuration has one
   already: keep the greater value and delete the other.

For an update always in this order: \`dist/\` first, then this folder, then check and reload. Rules that are older than the files
name no theme that is not there; the users of a theme that was taken away get the default theme until the reload.

## What nginx cannot do

- **A validator on CONFIG.** nginx makes ETag and Last-Modified from the time and size of a file, and two themes may have both in
  common. So CONFIG has neither, and is sent whole each time.
- **Case in user keys.** \`Tom\` and \`tom\` are one user; keys that differ only by case are refused when the site is built.
- **An empty \`Accept\`** is as none at all.
- **Repeated headers.** nginx before 1.23 reads only the first \`Accept\`, or identity header, of several. A proxy that you trust must
  replace the identity header that a client sends, not add to it. Leave \`underscores_in_headers\` off: with it,
  \`X_User\` is read as \`X-User\`.
- **Answers before the locations.** \`TRACE\`, \`CONNECT\`, a malformed request (400) and a body beyond \`client_max_body_size\` (413) get
  nginx's own page, without \`Allow\` and \`Vary\`. So does an \`If-Match\` or \`If-Unmodified-Since\` that fails (412), with both.
- **\`If-None-Match: *\`** on CONFIG is answered 304, as HTTP asks of whatever exists. No browser sends it of itself.
- **Ranges.** Everything is sent whole.
- **Millions of users.** The map is read into memory at every reload, the old one still there, and once for each identity rule.
`;
}
