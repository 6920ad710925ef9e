export { flow } from '../ports/landing.ts';
export { LandingView as Screens } from '../views/landing/LandingView.tsx';
