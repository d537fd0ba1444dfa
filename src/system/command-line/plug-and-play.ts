/**
 * Throws under Yarn's Plug'n'Play, which replaces the file system of Node.js. Measured with Yarn 4.18: reads return nothing, flushes
 * fail, and a folder `__virtual__` of a checkout leads out of it (`VirtualFS` in `@yarnpkg/fslib`).
 */
export function refusePlugAndPlay(): void {
  if (process.versions['pnp'] === undefined) return;
  throw new Error(
    "themecast does not run under Yarn's Plug'n'Play, where names of files can lead out of their folder. Put `nodeLinker: node-modules` into .yarnrc.yml, and run `yarn install`.",
  );
}
