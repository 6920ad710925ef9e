export { flow } from './ports.ts';
export { CartView as Screens } from './CartView.tsx';
