import { defineCommand } from '../../system/command-line/command.ts';
import { readPackageFile } from './io/package-files.ts';

/** Returns the types and the client as a single file without imports. */
function clientFile(): string {
  const client = readPackageFile('src/client/client.ts');
  const code = client.replaceAll(/^(?:import|export) type .* from '\.\/types\.ts';\n+/gm, '');
  const licence = readPackageFile('LICENSE').trim();
  const types = readPackageFile('src/client/types.ts');
  return `// Written by \`themecast client\`: do not edit, run it again.\n/* eslint-disable */\n\n/*\n${licence}\n*/\n\n${types}\n${code}`;
}

export const command = defineCommand({
  examples: ['client > src/theme.ts', 'client | diff src/theme.ts -'],
  flags: {},
  details: `The file imports nothing, so the project needs no package. Commit it; in CI, compare it with the output of the same version
of themecast.
`,
  run() {
    process.stdout.write(clientFile());
    return Promise.resolve(0);
  },
});
