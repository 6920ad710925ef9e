export { flow } from './ports.ts';
export { SignUpView as Screens } from './SignUpView.tsx';
