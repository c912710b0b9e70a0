# SPDX-License-Identifier: GPL-3.0-or-later
# Sources of the models, places, dialogs and the main window; included by CMakeLists.txt.
set(model_sources
  models/catalog_loader.cpp
  models/desktop_notice.cpp
  models/english_plurals.cpp
  models/failure_fix.cpp
  models/feed_worker.cpp
  models/format.cpp
  models/host_list.cpp
  models/log_model.cpp
  models/preview.cpp
  models/run_actions.cpp
  models/run_filter.cpp
  models/run_item.cpp
  models/run_selection.cpp
  models/runs_model.cpp
  models/system_stats.cpp
  models/tensor_stats.cpp
  models/tensor_table.cpp
  models/test_figures.cpp
  models/trials_model.cpp
  models/workbench.cpp
  models/workspace_feed.cpp)

set(place_sources
  places/cell_delegate.cpp
  places/cluster_place.cpp
  places/curves_export.cpp
  places/curves_toolbar.cpp
  places/curves_view.cpp
  places/data_place.cpp
  places/dataset_download.cpp
  places/home_place.cpp
  places/home_tile.cpp
  places/inspector.cpp
  places/inspector_sections.cpp
  places/local_host_card.cpp
  places/logs_view.cpp
  places/model_view.cpp
  places/place_bits.cpp
  places/rail.cpp
  places/recent_runs.cpp
  places/run_banner.cpp
  places/run_delegate.cpp
  places/run_header.cpp
  places/run_menu.cpp
  places/runs_panel.cpp
  places/runs_place.cpp
  places/scatter_plot.cpp
  places/settings_place.cpp
  places/start_checklist.cpp
  places/status_strip.cpp
  places/sweep_place.cpp
  places/top_bar.cpp
  places/trial_delegate.cpp)

if(TARGET trainyard_remote)
  list(APPEND place_sources places/add_host_panel.cpp places/remote_hosts.cpp)
endif()

set(dialog_sources
  dialogs/about_dialog.cpp
  dialogs/advanced_form.cpp
  dialogs/command_palette.cpp
  dialogs/error_sheet.cpp
  dialogs/form_grid.cpp
  dialogs/new_run_fork.cpp
  dialogs/new_run_sheet.cpp
  dialogs/param_field.cpp
  dialogs/preview_paint.cpp
  dialogs/preview_pane.cpp
  dialogs/rate_field.cpp
  dialogs/rate_finder.cpp
  dialogs/run_form.cpp
  dialogs/run_form_read.cpp
  dialogs/shortcuts_sheet.cpp)

set(window_sources
  main_window.cpp
  picture.cpp)
