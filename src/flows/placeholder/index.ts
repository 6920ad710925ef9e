export { placeholderMachine as flow } from '../../../machines/browsing/static-pages.ts';
export { PlaceholderView as Screens } from './PlaceholderView.tsx';
