import { readFileSync } from 'node:fs';

/** A text file of this package. */
export function readPackageFile(file: string): string {
  return readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
}

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(readPackageFile('package.json')) as { version: string }).version;
}
