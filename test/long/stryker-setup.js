import fc from 'fast-check';

// Property tests try fewer values, since they run for every mutant.
fc.configureGlobal({ numRuns: 10 });
