/** Flags of earlier versions, and what to do now. */
export const REMOVED_FLAGS: Readonly<Record<string, string>> = {
  '--releases':
    'Every document in the output is whole at every moment. To switch all of them at once, upload to a new folder and replace a link to it in the deployment.',
};
