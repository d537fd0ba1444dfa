import { readFileSync } from 'node:fs';

/** Reads a text file of this package. */
export function readPackageFile(file: string): string {
  return readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
}

/** Returns the version of this package. */
export function ownVersion(): string {
  return (JSON.parse(readPackageFile('package.json')) as { version: string }).version;
}
