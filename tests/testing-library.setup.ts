import { configure } from '@testing-library/dom';

// One second can be too short on a busy computer; elements that are present are found at once.
configure({ asyncUtilTimeout: 10_000 });

// jsdom has no layout to scroll.
globalThis.scrollTo = () => {};
