export { flow } from '../ports/sign-in.ts';
export { SignInView as Screens } from '../views/sign-in/SignInView.tsx';
