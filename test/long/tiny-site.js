// The files of a small site, as a build passes them to the publisher, so that only publishing is tested.
import { Publication } from '../../lib/compiler/publish/publication.js';
import { factsOf, partsOf, textFile } from '../../lib/core/document/files/output-file.js';
import { foldersOf, sha256 } from './site.js';

const BASE_URL = 'https://community.example.org';

/** The themes that every version has. */
export const SLUGS = ['harbor', 'meadow'];

/**
 * @param {string} version - everything but the first image differs between two versions
 * @param {readonly string[]} slugs
 */
export function tinySite(version, slugs = [...SLUGS, `only-${version}`]) {
  const media = new Map();
  const records = slugs.map((slug) => {
    const images = [`image of ${slug}`, `banner of ${slug}, ${version}`].map((text) => {
      const path = `media/${slug}/logo.${sha256(text).slice(0, 16)}.svg`;
      media.set(path, textFile(path, text));
      return `${BASE_URL}/${path}`;
    });
    return { id: slugs.indexOf(slug) + 1, slug, version, images };
  });
  const json = (/** @type {string} */ path, /** @type {unknown} */ value) => textFile(path, JSON.stringify(value));
  const files = [
    ...media.values(),
    json('api/v2/theme/index.json', records),
    ...records.map((record) => json(`api/v2/theme/config/${record.slug}.json`, record)),
  ];
  const rows = files.map(({ path, sha256: hash }) => ({ path, sha256: hash }));
  const manifest = `{ "version": 1, "base_url": "${BASE_URL}", "files": ${JSON.stringify(rows)} }`;
  const edgeFiles = [
    { path: 'users.ndjson', content: { text: `{"version":"${version}"}` } },
    { path: 'nginx/maps.conf', content: { parts: () => ['# ', version, '\n'] } },
    // The versions have different hosts.
    { path: version === 'a' ? 'apache/users.txt' : 'caddy/users.caddy', content: { text: version } },
  ];
  return { files: [...files, textFile('manifest.json', manifest)], edgeFiles, users: 1 };
}

/**
 * Publishes a version as a build does.
 * @param {string} root
 * @param {string} version
 * @param {import('../../lib/core/diagnostics/diagnostic.js').Report} [report]
 * @param {readonly string[]} [slugs]
 */
export async function publishTiny(root, version, report = () => undefined, slugs) {
  const publication = await Publication.open(foldersOf(root), { sources: [], cwd: root }, report);
  try {
    publication.list(undefined);
    await publication.begin();
    const { files, edgeFiles, users } = tinySite(version, slugs);
    const byPath = new Map(edgeFiles.map((file) => [file.path, file]));
    const { foreign } = await publication.publish({
      files,
      contentOf: partsOf,
      privateFiles: () => edgeFiles.map(factsOf),
      privateContentOf: async (name) => partsOf(byPath.get(name) ?? { content: { text: '' } }),
      users,
    });
    return foreign;
  } finally {
    await publication.close();
  }
}
