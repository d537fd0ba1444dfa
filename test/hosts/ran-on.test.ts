import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { adapters } from '../../src/hosts/adapter/adapters.ts';
import { skip } from '../skip.ts';
import { HTTPD } from './apache-process.ts';
import { CADDY } from './caddy-process.ts';
import { NGINX } from './nginx-process.ts';
import { WEB_SERVERS } from './web-servers.ts';

const LABELS = { nginx: 'nginx', apache: 'Apache httpd', caddy: 'Caddy' } as const;
const COMMANDS = { nginx: [NGINX, '-v'], apache: [HTTPD, '-v'], caddy: [CADDY, 'version'] } as const;

describe('the column "ran on"', () => {
  it.for(WEB_SERVERS)('has the version of %s that the contract suite runs', (name, context) => {
    const [program, flag] = COMMANDS[name];
    if (program === undefined)
      return skip(context, `${LABELS[name]} is not installed, so its rules are not tested against it.`);
    const { stdout, stderr } = spawnSync(program, [flag], { encoding: 'utf8' });
    const [, version = ''] = /(\d+\.\d+)\.\d/.exec(stdout + stderr) ?? [];
    expect(adapters[name].capabilities.ranOn).toBe(`the server, ${version}`);
  });
});
