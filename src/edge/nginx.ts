import { type OutputFile, textFile } from '../document/output-file.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { type Assignment, place } from '../mapping/assignments.ts';
import type { EdgeRules } from '../mapping/edge-rules.ts';
import type { EdgeAdapter } from './adapter.ts';
import { locationsConf } from './nginx/locations.ts';
import { mapsConf } from './nginx/maps.ts';
import { readme } from './nginx/readme.ts';
import { addHeaders, block, literal, mapKey } from './nginx/text.ts';

const TITLE = 'nginx';

/** Measured on nginx 1.22: 1 million users load in 1.5 s and 240 MB, 3 million in 8 s and 800 MB, 10 million not in a minute. */
const USERS = 3_000_000;

/** nginx with its usual modules, without scripting: maps choose what `try_files` sends. */
export const nginx: EdgeAdapter = {
  title: TITLE,
  files(rules, assignments, report) {
    const [beyond] = assignments.slice(USERS);
    if (beyond !== undefined) {
      report('edge/too-many-users', beyond.location, { host: TITLE, users: assignments.length, limit: USERS });
      return [];
    }
    reportCaseCollisions(assignments, report);
    return [
      configFile('maps.conf', mapsConf(rules, assignments.length)),
      configFile('locations.conf', locationsConf(rules)),
      configFile('theme-service.conf', theServer(rules)),
      configFile('users.map', usersMap(assignments)),
      textFile('README.md', readme(rules), 'text/markdown', 'config'),
    ];
  },
};

/** A `map` compares in lower case and refuses the whole configuration when two keys become the same. */
function reportCaseCollisions(assignments: readonly Assignment[], report: Report): void {
  const seen = new Map<string, Assignment>();
  for (const assignment of assignments) {
    const folded = assignment.user.toLowerCase();
    const first = seen.get(folded);
    if (first === undefined) seen.set(folded, assignment);
    else report('edge/case-collision', assignment.location, { host: TITLE, first: place(first.location) });
  }
}

function usersMap(assignments: readonly Assignment[]): string {
  const lines = assignments.map(({ user, theme }) => `${mapKey(user)} ${literal(theme)};\n`);
  return `# themecast: user key and theme. Personal data: keep it out of every published folder. Read by maps.conf.
# A key begins with two backslashes: nginx takes off one when it reads the file and one when it fills the map, and takes the
# rest as it is, even where it is a word of its own such as "default".
${lines.join('')}`;
}

function theServer({ baseUrl, origin, headers, refusals }: EdgeRules): string {
  const server = block('server', [
    `listen ${origin.listen};`,
    `server_name ${literal(new URL(baseUrl).hostname)};`,
    'server_tokens off;',
    '',
    'include themecast/locations.conf;',
    '',
    '# There is nothing else on this server.',
    ...block('location /', [
      'default_type application/json;',
      ...addHeaders({ ...headers.all, ...headers.error }),
      `return 404 ${literal(refusals.notFound)};`,
    ]),
  ]);
  return `# themecast: a server for the theme service alone. Belongs in http{}. On a server that you have already, include
# themecast/maps.conf in its http{} and themecast/locations.conf in its server{} instead.
# Generated from site.yaml: change that, not this. TLS is the business of what stands before it, or of your own server{}.
include themecast/maps.conf;

${server.join('\n')}
`;
}

function configFile(path: string, text: string): OutputFile {
  return textFile(path, text, 'text/plain; charset=utf-8', 'config');
}
