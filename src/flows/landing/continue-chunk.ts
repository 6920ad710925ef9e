export { lastOpened } from '../../client/library.ts';
export { ContinueShelf } from './ContinueShelf.tsx';
