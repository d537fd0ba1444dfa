import { type OutputFile, textFile } from '../../document/output-file.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { STATIC_FILES } from '../presets.ts';
import { cloudflareFiles } from './cloudflare.ts';
import { firebaseConfig } from './firebase.ts';
import { staticWebAppConfig } from './static-web-app.ts';

/** Static hosts: S3 websites, Cloudflare without a Worker, GitHub and GitLab Pages, Firebase Hosting, Azure Static Web Apps. */
export const staticFiles: EdgeAdapter = {
  title: 'a static host',
  capabilities: STATIC_FILES,
  files: (input) => [
    jsonFile('firebase.json', firebaseConfig(input.rules)),
    jsonFile('staticwebapp.config.json', staticWebAppConfig(input.rules)),
    ...cloudflareFiles(input),
  ],
  readme({ rules: { basePath, endpoints } }) {
    const folder = basePath.slice(1);
    return {
      folder,
      prefix: folder === '' ? '' : `${folder}/`,
      list_folder: endpoints.list.folder.slice(1),
      config_folder: endpoints.config.folder.slice(1),
      list_cache: endpoints.list.cacheControl,
    };
  },
};

function jsonFile(path: string, value: object): OutputFile {
  return textFile(path, `${JSON.stringify(value, null, 2)}\n`, 'application/json', 'config');
}
