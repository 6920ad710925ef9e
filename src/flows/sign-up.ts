export { flow } from '../ports/sign-up.ts';
export { SignUpView as Screens } from '../views/sign-up/SignUpView.tsx';
