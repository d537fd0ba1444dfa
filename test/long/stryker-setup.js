import fc from 'fast-check';

// Properties are tried on fewer values, for every mutant runs them.
fc.configureGlobal({ numRuns: 10 });
