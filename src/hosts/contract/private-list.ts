/** In the edge directory, lists every other file there and the number of mapped users. */
export const PRIVATE_LIST = 'files.json';
