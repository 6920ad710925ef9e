export { flow } from './ports.ts';
export { AccountView as Screens } from './AccountView.tsx';
