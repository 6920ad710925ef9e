export { flow } from '../ports/library.ts';
export { LibraryView as Screens } from '../views/library/LibraryView.tsx';
