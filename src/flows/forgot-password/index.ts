export { flow } from './ports.ts';
export { ForgotPasswordView as Screens } from './ForgotPasswordView.tsx';
