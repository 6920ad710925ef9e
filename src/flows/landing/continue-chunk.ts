export { placesSender } from '../../client/library/send-places.ts';
export { lastOpened } from '../../client/library/library.ts';
export { ContinueShelf } from './ContinueShelf.tsx';
