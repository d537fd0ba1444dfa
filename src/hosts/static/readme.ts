import type { EdgeRules } from '../contract.ts';
import { CLOUDFLARE_SECTION } from './cloudflare.ts';

/** `README.md`, for the administrator who publishes on a static host. */
export function readme({ basePath, schemas, endpoints: { list, config } }: EdgeRules): string {
  const folder = basePath === '' ? '' : basePath.slice(1);
  return `# The theme service on a static host

A static host serves the default theme as JSON to everyone. It ignores the identity of the user, \`Accept\` and \`?format=\`; its responses to OPTIONS
and POST vary (Firebase's emulator sends the document). The browsable pages are ordinary files (\`${list.path}browse.html\`). For per-user themes, use another host.

${folder === '' ? '' : `The service is published below \`${basePath}\`: upload \`dist/\` as the folder \`${folder}\`, not as the root.\n\n`}| Host | LIST and CONFIG | Headers | Missing trailing slash |
|---|---|---|---|
| S3 website | correct paths | only \`Content-Type\` and \`Cache-Control\` | 302 |
| Cloudflare | correct paths | all | 301 |
| Firebase Hosting | correct paths | all | not tested |
| Azure Static Web Apps | correct paths | all | not tested |
| GitHub Pages, GitLab Pages | only as \`${list.path}index.json\` and \`${config.path}index.json\` | none | – |

The configuration was tested in the emulators of Firebase and Azure (superstatic 10.0.0, SWA CLI 2.0.10) during its design; automated tests check
only the structure of these two files. It has not been tested on the hosts themselves.

Upload in the order of \`manifest.json\`: \`media/\` first, then \`api/\`${schemas.length === 0 ? '' : ' and `schema/`'}. Do not publish this folder; the manifest need not be published.

## S3 website

    aws s3 website s3://BUCKET --index-document index.json
    aws s3 cp dist/media s3://BUCKET/${prefix(folder)}media --recursive --cache-control 'public, max-age=31536000, immutable'
    aws s3 cp dist/api s3://BUCKET/${prefix(folder)}api --recursive --cache-control 'private, no-cache'
    aws s3api put-object --bucket BUCKET --key ${prefix(folder)}${list.folder.slice(1)}index.json --body dist${list.folder}index.json \\
      --content-type application/json --cache-control '${list.cacheControl}'
${schemas.length === 0 ? '' : `    aws s3 cp dist/schema s3://BUCKET/${prefix(folder)}schema --recursive --cache-control '${list.cacheControl}'\n`}
The index document \`index.json\` applies to the whole bucket. Without the website endpoint (REST, or behind another CDN), upload the two
documents again, each under a key that ends in a slash:

    aws s3api put-object --bucket BUCKET --key ${prefix(folder)}${list.folder.slice(1)} --body dist${list.folder}index.json --content-type application/json
    aws s3api put-object --bucket BUCKET --key ${prefix(folder)}${config.folder.slice(1)} --body dist${config.folder}index.json --content-type application/json

S3 sends neither \`Allow\` nor \`Vary\` nor \`X-Content-Type-Options\`, and SVG images without the policy that blocks their scripts: serve them from a
separate host name. On CloudFront, use the adapter \`cloudfront\`.

## Firebase Hosting

Copy \`firebase.json\` beside \`dist/\`, or its \`hosting\` into yours, then run \`firebase deploy --only hosting\`. Leave \`trailingSlash\` unset.

## Azure Static Web Apps

Copy \`staticwebapp.config.json\` into \`dist/\` after each build, then run \`swa deploy dist/\`. The app must have no Functions, which would claim \`/api\`.
Error responses, such as 405 without \`Allow\`, are Azure's own.

${CLOUDFLARE_SECTION}
## GitHub Pages, GitLab Pages

Publish \`dist/\` unchanged. These hosts serve only \`index.html\` for a folder, so clients must request \`…/index.json\`. There is nothing to
configure.
`;
}

function prefix(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}
