import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the path of a command, for a script of the same name. */
export function located(command = ''): string {
  if (command.includes('/')) return command;
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'];
  return folders.map((folder) => path.join(folder, command)).find((file) => existsSync(file)) ?? command;
}

/** Returns the indented blocks of a README, without their indentation. */
export function codeBlocks(readme: string): string[] {
  return [...readme.matchAll(/(?:^ {4,}\S.*\n)+/gm)].map(([block]) => {
    const indentation = Math.min(...block.split('\n').flatMap((line) => (line === '' ? [] : [line.search(/\S/)])));
    return block.replaceAll(new RegExp(`^ {${indentation}}`, 'gm'), '').trimEnd();
  });
}

/** Matches the start of a block of shell commands. */
const COMMAND =
  /^(?:[(]|(?:mkdir|chmod|cp|chown|sh|su|nginx|caddy|apachectl|if|npx|aws|fastly|jq|while|for|dir|cd|ETAG|KVS_ARN)\b)/;

export function isCommand(block: string): boolean {
  return COMMAND.test(block);
}

/** A machine for a test: a folder replaces `/etc/`, and scripts replace systemd and the paths of servers. */
export interface Machine {
  root: string;
  /** Returns the path on this machine for a path in a README. */
  at: (path: string) => string;
  /** Runs a block verbatim except for `/etc/`; rejects if the shell fails. */
  run: (block: string) => Promise<string>;
}

/**
 * @param root - the folder of the built site
 * @param commands - shell scripts that replace commands, by name: they tell a server of this machine its folder
 */
export async function machine(root: string, commands: Readonly<Record<string, string>>): Promise<Machine> {
  const bin = path.join(root, 'bin');
  await mkdir(bin);
  const away = process.getuid?.() === 0 ? {} : { chown: '', chgrp: '', su: '' };
  for (const [name, script] of Object.entries({ systemctl: '', ...away, ...commands })) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  // Servers run as other users, who must be able to enter the temporary folder (mode 0700).
  await chmod(root, 0o755);
  const at = (text: string): string => text.replaceAll('/etc/', `${root}/etc/`);
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}:/usr/sbin`, HOME: root };
  return {
    root,
    at,
    run: async (block) => {
      const { stdout, stderr } = await run('sh', ['-ec', at(block)], { cwd: root, env });
      return stdout + stderr;
    },
  };
}
