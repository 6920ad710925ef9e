export { flow } from './ports.ts';
export { SignInView as Screens } from './SignInView.tsx';
