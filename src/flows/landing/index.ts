export { flow } from './ports.ts';
export { LandingView as Screens } from './LandingView.tsx';
