import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { enforceCapabilities } from '../../src/edge/enforce.ts';
import { nginx } from '../../src/edge/nginx.ts';
import type { Assignment } from '../../src/mapping/assignments.ts';
import { edgeRules } from '../../src/mapping/edge-rules.ts';
import type { IdentityRule } from '../../src/theme/identity.ts';
import { SITE_DEFAULTS } from '../../src/theme/site.ts';

const LOCATION = { file: 'themes/site.yaml' };
const byCookie: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'uid' } };

function assigned(key: string, line: number, kind: Assignment['kind'] = 'user'): Assignment {
  const location = { file: 'themes/users.csv', start: { line, column: 1 } };
  return { kind, key, theme: 'meadow', location, themeLocation: location };
}

/** What is reported when nginx, with some capabilities changed, is asked for. */
function enforced(
  mapped: readonly Assignment[],
  capabilities: Partial<typeof nginx.capabilities> = {},
  identity: IdentityRule[] = [byCookie],
): string[] {
  const site = { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media', identity };
  const rules = edgeRules({ ...site, edge: ['nginx'] }, ['harbor', 'meadow'], 'sha256-x');
  const diagnostics = new Diagnostics();
  const input = { rules, assignments: mapped, runtime: {}, report: diagnostics.report };
  const adapter = { ...nginx, capabilities: { ...nginx.capabilities, ...capabilities } };
  const ok = enforceCapabilities(adapter, input, mapped, LOCATION);
  expect(ok).toBe(diagnostics.sorted.length === 0);
  return diagnostics.sorted.map(({ code, location, message }) => `${code} ${location.file}: ${message}`);
}

describe('enforceCapabilities', () => {
  it('lets through what the host can hold and express', () => {
    expect(enforced([assigned('ann', 2), assigned('bob', 3)])).toEqual([]);
  });

  it('refuses keys that differ only by case where case is not minded, and names the place, not the key', () => {
    const [found, ...more] = enforced([assigned('Tom', 2), assigned('nancy', 3), assigned('tom', 4)]);
    expect(found).toContain('edge/case-collision themes/users.csv');
    expect(found).toContain('themes/users.csv:2');
    expect(found).not.toMatch(/tom/i);
    expect(more).toEqual([]);
    expect(enforced([assigned('Tom', 2), assigned('tom', 3)], { caseSensitiveKeys: true })).toEqual([]);
    expect(enforced([assigned('Tom', 2), assigned('tom', 3, 'group')])).toEqual([]);
  });

  it('refuses more keys than the host holds, naming the limit and its reason', () => {
    const two = [assigned('a', 2), assigned('b', 3)];
    expect(enforced(two, { maxKeys: 2 })).toEqual([]);
    expect(enforced(two, { maxKeys: 1, maxKeysBecause: 'a quota' })).toEqual([
      'edge/too-many-users themes/users.csv: nginx holds at most 1 keys (a quota); 2 are mapped.',
    ]);
    expect(enforced(two, { maxKeys: 0, maxKeysBecause: 'it reads no cookie' })[0]).toContain('it reads no cookie');
  });

  it('refuses identity that the host cannot read', () => {
    const jwt: IdentityRule = {
      names: 'user',
      credential: {
        from: 'jwt',
        cookie: undefined,
        claim: 'sub',
        key: { algorithm: 'RS256', jwksUrl: 'https://a.example/jwks' },
      },
    };
    expect(enforced([], {}, [byCookie, jwt])).toEqual([
      'edge/identity themes/site.yaml: nginx cannot read the user from a JWT signed with RS256.',
    ]);
  });

  it('lets several rules read one answer of a login service, and refuses a second service', () => {
    const asking = (url: string, header: string): IdentityRule => ({
      names: 'user',
      credential: { from: 'auth_request', url, header },
    });
    const both = [asking('http://a/whoami', 'X-User'), asking('http://a/whoami', 'X-Mail')];
    expect(enforced([], {}, both)).toEqual([]);
    expect(enforced([], {}, [...both, byCookie, asking('http://b/', 'X-User')])).toEqual([
      'edge/identity themes/site.yaml: nginx cannot read the user from auth_request to a second URL.',
    ]);
    const unable = { identity: { ...nginx.capabilities.identity, authRequest: false } };
    expect(enforced([], unable, both.slice(1))).toEqual([
      'edge/identity themes/site.yaml: nginx cannot read the user from auth_request.',
    ]);
  });

  it('lets a host without a mapping serve a site that maps nobody, but not one whose visitors choose', () => {
    expect(enforced([], { maxKeys: 0 })).toEqual([]);
    const byTheme: IdentityRule = { names: 'theme', credential: { from: 'cookie', name: 'theme' } };
    const none = { ...nginx.capabilities.identity, names: [] };
    expect(enforced([], { maxKeys: 0, identity: none }, [byTheme])).toHaveLength(1);
  });
});
