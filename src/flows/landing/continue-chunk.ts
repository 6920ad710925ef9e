export { createPlacesSender } from '../../client/library/send-places.ts';
export { fetchLastOpened } from '../../client/library/library.ts';
export { ContinueShelf } from './ContinueShelf.tsx';
