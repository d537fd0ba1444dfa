import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { enforceCapabilities, reportIdentity } from '../../src/hosts/enforce.ts';
import { nginx } from '../../src/hosts/nginx/index.ts';
import { type Assignment, usersOf } from '../sample-users.ts';
import { edgeRules } from '../../src/hosts/contract.ts';
import type { IdentityRule } from '../../src/edge-runtime/rules.ts';
import { SITE_DEFAULTS } from '../../src/theme/site.ts';
import { templates } from './site.ts';

const LOCATION = { file: 'themes/site.yaml' };
const byCookie: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'uid' } };

/** Makes an assignment; its line is its place in the list. */
function assigned(key: string, kind: Assignment['kind'] = 'user'): Assignment {
  return { kind, key, theme: 'meadow' };
}

/** Returns the diagnostics for nginx with changed capabilities. */
async function enforced(
  mapped: readonly Assignment[],
  capabilities: Partial<typeof nginx.capabilities> = {},
  identity: IdentityRule[] = [byCookie],
): Promise<string[]> {
  const site = { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media', identity };
  const rules = edgeRules({ ...site, edge: ['nginx'] }, [], 'sha256-x');
  const diagnostics = new Diagnostics();
  const users = await usersOf(mapped, { harbor: 1, meadow: 2 });
  const input = { rules, mapping: users.mapping, runtime: {}, templates, report: diagnostics.report };
  const adapter = { ...nginx, capabilities: { ...nginx.capabilities, ...capabilities } };
  reportIdentity([adapter], rules, () => LOCATION, input.report);
  const ok = enforceCapabilities(adapter, input, users.assigned);
  expect(ok).toBe(diagnostics.sorted.length === 0);
  return diagnostics.sorted.map(({ code, location, message }) => `${code} ${location.file}: ${message}`);
}

describe('enforceCapabilities', () => {
  it('accepts settings within the limits of the host', async () => {
    expect(await enforced([assigned('ann'), assigned('bob')])).toEqual([]);
  });

  it('rejects keys that differ only by case on a case-insensitive host, with the location instead of the key', async () => {
    const [found, ...more] = await enforced([assigned('Tom'), assigned('nancy'), assigned('tom')]);
    expect(found).toContain('edge/case-collision themes/users/users.csv');
    expect(found).toContain('themes/users/users.csv:2');
    expect(found).not.toMatch(/tom/i);
    expect(more).toEqual([]);
    expect(await enforced([assigned('Tom'), assigned('tom')], { caseSensitiveKeys: true })).toEqual([]);
    expect(await enforced([assigned('Tom'), assigned('tom', 'group')])).toEqual([]);
  });

  it('rejects more keys than the host supports, with the limit and its reason', async () => {
    const two = [assigned('a'), assigned('b')];
    expect(await enforced(two, { maxKeys: 2 })).toEqual([]);
    expect(await enforced(two, { maxKeys: 1, maxKeysBecause: 'a quota' })).toEqual([
      'edge/too-many-users themes/users/users.csv: nginx holds at most 1 key (a quota), but the site maps 2 keys.',
    ]);
    expect((await enforced(two, { maxKeys: 0, maxKeysBecause: 'it reads no cookie' }))[0]).toContain(
      'it reads no cookie',
    );
  });

  it('lets several rules read one response of a login service, and rejects a second service', async () => {
    const asking = (url: string, header: string): IdentityRule => ({
      names: 'user',
      credential: { from: 'auth_request', url, header },
    });
    const both = [asking('http://a/whoami', 'X-User'), asking('http://a/whoami', 'X-Mail')];
    expect(await enforced([], {}, both)).toEqual([]);
    expect(await enforced([], {}, [...both, byCookie, asking('http://b/', 'X-User')])).toEqual([
      'edge/identity themes/site.yaml: nginx cannot read the user from auth_request to a second URL.',
    ]);
    const unable = { identity: ['cookie'] as const };
    expect(await enforced([], unable, both.slice(1))).toEqual([
      'edge/identity themes/site.yaml: nginx cannot read the user from auth_request.',
    ]);
  });

  it('accepts a site without users on a host without a mapping, but no rule with theme names', async () => {
    expect(await enforced([], { maxKeys: 0 })).toEqual([]);
    const byTheme: IdentityRule = { names: 'theme', credential: { from: 'cookie', name: 'theme' } };
    expect(await enforced([], { maxKeys: 0, identity: [] }, [byTheme])).toHaveLength(1);
  });
});
