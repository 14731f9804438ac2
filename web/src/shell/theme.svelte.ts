// Light, dark, or as the system has it.
export type Theme = 'auto' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

function kept(): Theme {
  const value = localStorage.getItem('legatus.theme');
  return value === 'light' || value === 'dark' ? value : 'auto';
}

class Look {
  theme = $state<Theme>(kept());

  constructor() {
    this.show();
  }

  next(): void {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length] ?? 'auto';
    localStorage.setItem('legatus.theme', this.theme);
    this.show();
  }

  private show(): void {
    if (this.theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.theme;
  }
}

export const look = new Look();
