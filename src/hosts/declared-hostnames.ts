import type { IdentityRule } from '../edge-runtime/rules.ts';

/** A hostname that identity gives a theme. */
export interface DeclaredHostname {
  name: string;
  theme: string;
  /** Index of the first rule that matches. */
  rule: number;
}

/** Hostnames that are requested, at most. */
export const MAX_HOSTNAMES = 100;

/** The hostnames that rules map to themes, and those that groups are, each with the theme of the first rule that matches. */
export function declaredHostnames(
  identity: readonly IdentityRule[],
  groups: ReadonlyMap<string, string>,
): DeclaredHostname[] {
  const declared = new Map<string, DeclaredHostname>();
  for (const [rule, { credential }] of identity.entries()) {
    if (credential.from !== 'host') continue;
    const themes = credential.themes === undefined ? groups : Object.entries(credential.themes);
    for (const [name, theme] of themes) if (!declared.has(name)) declared.set(name, { name, theme, rule });
  }
  return [...declared.values()];
}
