export { flow } from '../ports/title.ts';
export { TitleView as Screens } from '../views/title/TitleView.tsx';
