import type { EdgeRules } from '../contract.ts';

/** `README.md`, for whoever publishes on a host of plain files. */
export function readme({ basePath, endpoints: { list, config } }: EdgeRules): string {
  const folder = basePath === '' ? '' : basePath.slice(1);
  return `# The theme service on a host of static files

Such a host gives everyone the default theme, as JSON. Who asks, \`Accept\` and \`?format=\` make no difference to it, and OPTIONS and POST are
answered as the host likes (Firebase's emulator sends the document); the browsable pages are files among others (\`${list.path}browse.html\`). For themes of users take another host.

${folder === '' ? '' : `The service is published below \`${basePath}\`: upload \`dist/\` as the folder \`${folder}\`, not as the root.\n\n`}| host | LIST and CONFIG | headers | a missing slash |
|---|---|---|---|
| S3 website | as they should be | \`Content-Type\` and \`Cache-Control\` alone | 302 |
| Firebase Hosting | as they should be | all | not tried |
| Azure Static Web Apps | as they should be | all | not tried |
| GitHub Pages, GitLab Pages | only as \`${list.path}index.json\` and \`${config.path}index.json\` | none | – |

Settings of this form were tried in the emulators of Firebase and Azure (superstatic 10.0.0, SWA CLI 2.0.10) when this was designed; the tests of
themecast look at no more than the form of the two files. They have not been tried on the hosts themselves.

Upload in the order of \`manifest.json\`: \`media/\` first, then \`api/\`. The manifest itself, and this folder, need not be published.

## S3 website

    aws s3 website s3://BUCKET --index-document index.json
    aws s3 cp dist/media s3://BUCKET/${prefix(folder)}media --recursive --cache-control 'public, max-age=31536000, immutable'
    aws s3 cp dist/api s3://BUCKET/${prefix(folder)}api --recursive --cache-control 'private, no-cache'
    aws s3api put-object --bucket BUCKET --key ${prefix(folder)}${list.folder.slice(1)}index.json --body dist${list.folder}index.json \\
      --content-type application/json --cache-control '${list.cacheControl}'

The index document is \`index.json\` for the whole bucket. Without the website endpoint (REST, or behind another CDN) upload the two
documents once more, each under a key that ends in its slash:

    aws s3api put-object --bucket BUCKET --key ${prefix(folder)}${list.folder.slice(1)} --body dist${list.folder}index.json --content-type application/json
    aws s3api put-object --bucket BUCKET --key ${prefix(folder)}${config.folder.slice(1)} --body dist${config.folder}index.json --content-type application/json

S3 sends neither \`Allow\` nor \`Vary\` nor \`X-Content-Type-Options\`, and pictures without the policy that keeps scripts in SVG from running:
serve them from a host name that has nothing to lose. On CloudFront use the adapter \`cloudfront\`.

## Firebase Hosting

Copy \`firebase.json\` beside \`dist/\`, or its \`hosting\` into yours, then \`firebase deploy --only hosting\`. Leave \`trailingSlash\` unset.

## Azure Static Web Apps

Copy \`staticwebapp.config.json\` into \`dist/\` after each build, then \`swa deploy dist/\`. The app must have no Functions: they would own \`/api\`.
What is not in the file, such as a 405 without \`Allow\`, is Azure's.

## GitHub Pages, GitLab Pages

Publish \`dist/\` as it is. A folder is answered with its \`index.html\` alone, so clients have to ask for \`…/index.json\`, and there is nothing to
configure.
`;
}

function prefix(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}
