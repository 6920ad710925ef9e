export { flow } from '../ports/viewer.ts';
export { ViewerView as Screens } from '../views/viewer/ViewerView.tsx';
