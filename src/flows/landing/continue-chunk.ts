export { placesSender } from '../../client/send-places.ts';
export { lastOpened } from '../../client/library.ts';
export { ContinueShelf } from './ContinueShelf.tsx';
