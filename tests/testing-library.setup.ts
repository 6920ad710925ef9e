import { configure } from '@testing-library/dom';

// A second is not always enough on a machine that has other things to do; what is there at once is found at once.
configure({ asyncUtilTimeout: 10_000 });

// jsdom has no layout to scroll.
globalThis.scrollTo = () => {};
