import { type OutputFile, textFile } from '../document/output-file.ts';
import type { EdgeAdapter } from './adapter.ts';
import { STATIC } from './static/capabilities.ts';
import { firebaseConfig } from './static/firebase.ts';
import { readme } from './static/readme.ts';
import { staticWebAppConfig } from './static/static-web-app.ts';

/** Hosts of plain files: S3 websites, GitHub and GitLab Pages, Firebase Hosting, Azure Static Web Apps. */
export const staticFiles: EdgeAdapter = {
  title: 'a host of static files',
  capabilities: STATIC,
  files(input) {
    const { rules } = input;
    return [
      jsonFile('firebase.json', firebaseConfig(rules, input)),
      jsonFile('staticwebapp.config.json', staticWebAppConfig(rules)),
      textFile('README.md', readme(rules), 'text/markdown', 'config'),
    ];
  },
};

function jsonFile(path: string, value: object): OutputFile {
  return textFile(path, `${JSON.stringify(value, null, 2)}\n`, 'application/json', 'config');
}
