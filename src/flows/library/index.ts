export { flow } from './ports.ts';
export { LibraryView as Screens } from './LibraryView.tsx';
