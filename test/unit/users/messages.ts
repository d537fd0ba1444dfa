import { parseUsersYaml } from '../../../src/users/users-yaml.ts';
import { findings } from '../collect.ts';
import { read, source } from '../users.ts';

export const THEMES = new Set(['harbor', 'meadow']);

/** The diagnostics of the files of users. */
export const diagnosticsOf = async (rows: Readonly<Record<string, string>>, yaml: string): Promise<string[]> => {
  let written: ReturnType<typeof parseUsersYaml> | undefined;
  const own = findings((report) => void (written = parseUsersYaml('users.yaml', yaml, THEMES, report)));
  const files = Object.entries(rows).map(([file, text]) => source(file, text));
  const { found } = await read([...files, { file: 'users.yaml', rows: written ?? [] }]);
  return [...own, ...found].map(({ code, message, hint }) => `${code} ${message} ${hint}`);
};
