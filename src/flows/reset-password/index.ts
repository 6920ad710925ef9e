export { flow } from './ports.ts';
export { ResetPasswordView as Screens } from './ResetPasswordView.tsx';
