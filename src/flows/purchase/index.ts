export { flow } from './ports.ts';
export { CheckoutView as Screens } from './CheckoutView.tsx';
